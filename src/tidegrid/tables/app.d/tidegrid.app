type=script
scriptType=python
enabled=true
id=tidegrid
name=Tidegrid
file_0=tidegrid_app.py
